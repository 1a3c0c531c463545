/// How a page looks: in light and dark, on paper, on a phone, and without colour.
///
/// The text has no `<` and no `&`, so that the page is XML as well as HTML.
enum PageStyle {
  static let text = """
    :root{color-scheme:light dark;--paper:#fff;--panel:#f4f6f8;--ink:#1b2126;--soft:#56616c;\
    --line:#d3d9df;--basal:#2a67a8;--bolus:#b3501a;--carbs:#2c7a51;--hole:#8d98a3;\
    --error:#b3001e;--warning:#855600}
    @media screen and (prefers-color-scheme:dark){:root{--paper:#14181b;--panel:#1e2429;--ink:#e7ebee;\
    --soft:#a3afba;--line:#3a434b;--basal:#6aaaf0;--bolus:#f29a63;--carbs:#66c796;--hole:#808b96;\
    --error:#ff8a94;--warning:#eebd5c}}
    *{box-sizing:border-box}
    body{margin:0 auto;padding:1rem;max-width:62rem;background:var(--paper);color:var(--ink);\
    font:1rem/1.45 system-ui,sans-serif;overflow-wrap:break-word}
    bdi,li span{overflow-wrap:anywhere}th[scope=row],nav a{white-space:nowrap}
    h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem;\
    border-bottom:1px solid var(--line);padding-bottom:.2rem}h3{font-size:1rem;margin:1rem 0 .3rem}
    a{color:inherit}p{margin:.4rem 0}nav a{margin-right:.9rem}
    .soft,.hint,figcaption{color:var(--soft);font-size:.9rem}
    .demo{border:2px dashed var(--warning);padding:.5rem .8rem;font-weight:600}
    .result{font-size:1.05rem;font-weight:600}
    .error h3{color:var(--error)}.warning h3{color:var(--warning)}
    table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
    th,td{padding:.2rem .4rem;text-align:right;border-bottom:1px solid var(--line);vertical-align:top}
    th:first-child,td:first-child,td.text,th.text{text-align:left}
    thead th{color:var(--soft);font-weight:600}
    tr:target th{background:var(--panel);outline:2px solid var(--ink)}
    ul{padding-left:1.2rem;margin:.3rem 0}li{margin:.25rem 0}
    details{border:1px solid var(--line);border-radius:.4rem;margin:.5rem 0;padding:0 .7rem}
    summary{padding:.5rem 0;cursor:pointer;font-variant-numeric:tabular-nums}
    figure{margin:.6rem 0}svg.plot{display:block;width:100%;max-width:46rem;height:auto;\
    font:9px system-ui,sans-serif}
    svg.marks{position:absolute;width:0;height:0}
    .plot text{fill:var(--ink)}.plot .faint{fill:var(--soft)}
    .plot .rule{stroke:var(--line);stroke-width:.6;fill:none}
    .basal{fill:var(--basal);stroke:var(--basal);stroke-width:.4}
    .bolus{fill:url(#hatch);stroke:var(--bolus);stroke-width:.8}
    .carbs{fill:url(#dots);stroke:var(--carbs);stroke-width:.8}
    .hole{fill:url(#cross);stroke:var(--hole);stroke-width:.5;stroke-dasharray:2 1}
    .stroke{stroke:var(--bolus);stroke-width:1.2}.grain{fill:var(--carbs)}
    .gap{stroke:var(--hole);stroke-width:.8;fill:none}
    .cell{fill:var(--panel);stroke:var(--line);stroke-width:.5}.filled{fill:var(--basal)}
    .mark{fill:none;stroke:var(--ink);stroke-width:1.2}
    .clock{fill:none;stroke:var(--basal);stroke-width:1.6}
    .key{width:1.6em;height:.9em;vertical-align:-.1em;margin:0 .3em 0 .8em}
    .years{display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:.5rem 1.5rem}
    tr.view td{text-align:left;background:var(--panel)}
    @media (max-width:32rem){body{padding:.6rem}th,td{padding:.2rem .15rem}table{font-size:.8rem}\
    details{padding:0 .4rem}.wide{display:none}}
    @media print{:root{color-scheme:light}tr.view td{background:none}body{max-width:none;padding:0}nav,.hint{display:none}\
    figure,tr,li{break-inside:avoid}details{border:0;padding:0}h2,h3,summary{break-after:avoid}}
    """
}
