/// What draws the view of a day once somebody opens it, from the page's own numbers.
///
/// It asks nobody for anything, and puts nothing into the page but numbers, and names as text. It has
/// no `<` and no `&`, so that the page is XML as well as HTML.
enum PageScript {
  static let text = #"""
    'use strict';
    (function () {
      var doc = document, data = {}, open = '\u003c';
      doc.getElementById('days').textContent.split('\n').forEach(function (line) {
        var day = line.slice(0, 10);
        if (day) (data[day] = data[day] || []).push(line.slice(11));
      });
      function number(word) { return parseInt(word, 36); }
      function fix(value, decimals) {
        var unit = Math.pow(10, decimals);
        return Math.round(value * unit) / unit;
      }
      function el(name, attributes, body) {
        var text = open + name;
        Object.keys(attributes).forEach(function (key) {
          text += ' ' + key + '="' + attributes[key] + '"';
        });
        return text + '>' + (body || '') + open + '/' + name + '>';
      }
      function words(list) { return list ? list.split(',') : []; }
      function steps(list) {
        var at = 0, found = [];
        words(list).forEach(function (word) {
          if (word.charAt(0) === '@') { at = number(word.slice(1)); return; }
          var parts = word.split(':'), length = parts[1] ? number(parts[1]) : 300;
          found.push({ at: at, until: at + length, amount: number(parts[0]) / 1000 });
          at += length;
        });
        return found;
      }
      function marks(list, unit) {
        return words(list).map(function (word) {
          var parts = word.split('.').map(number);
          return { at: parts[0], amount: parts[1] / unit, length: parts[2] || 0 };
        });
      }
      function most(list) {
        return list.reduce(function (top, one) { return Math.max(top, one.amount); }, 0);
      }
      function x(second) { return fix(30 + Math.min(second, 86400) * 374 / 86400, 1); }
      function clock(second) {
        var hour = Math.floor(second / 3600), minute = Math.floor(second / 60) % 60;
        return (hour > 9 ? '' : '0') + hour + ':' + (minute > 9 ? '' : '0') + minute;
      }
      function label(at, y, anchor, text) {
        return el('text', { x: at, y: y, 'text-anchor': anchor, 'class': 'faint' }, text);
      }
      function box(kind, at, y, width, height) {
        return el('rect', { 'class': kind, x: at, y: fix(y, 1), width: fix(width, 1),
          height: fix(height, 1) });
      }
      function drawing(basal, boluses, carbs, holes) {
        var body = '', hour, top = Math.max(most(basal), 0.5), peak = Math.max(most(boluses), 1);
        for (hour = 0; 25 > hour; hour += 3) {
          body += el('path', { 'class': 'rule', d: 'M' + x(hour * 3600) + ' 10V158' });
          body += label(x(hour * 3600), 168, hour === 24 ? 'end' : 'middle', hour);
        }
        holes.forEach(function (hole) {
          body += box('hole', x(hole.at), 84, x(hole.at + hole.amount) - x(hole.at), 74);
        });
        basal.forEach(function (step) {
          var height = step.amount / top * 70;
          body += box('basal', x(step.at), 158 - height, x(step.until) - x(step.at), height);
        });
        boluses.forEach(function (dose) {
          var height = dose.amount / peak * 50;
          if (dose.length) {
            body += box('bolus', x(dose.at), 72 - height,
              Math.max(3, x(dose.at + dose.length) - x(dose.at)), height);
          } else {
            body += box('bolus', x(dose.at) - 1.5, 72 - height, 3, height);
          }
          body += el('text', { x: x(dose.at), y: fix(69 - height, 1), 'text-anchor': 'middle' },
            fix(dose.amount, 2));
        });
        carbs.forEach(function (meal) {
          body += el('path', { 'class': 'grain', d: 'M' + (x(meal.at) - 3) + ' 180h6l-3 -6z' });
          body += el('text', { x: x(meal.at), y: 190, 'text-anchor': 'middle' }, fix(meal.amount, 1) + ' g');
        });
        body += el('path', { 'class': 'rule', d: 'M30 72H404M30 158H404' });
        body += label(27, 26, 'end', fix(peak, 2)) + label(27, 72, 'end', 'IU');
        body += label(27, 93, 'end', fix(top, 2)) + label(27, 158, 'end', 'U/h');
        body += label(27, 182, 'end', 'carbs');
        return el('svg', { 'class': 'plot', viewBox: '0 0 412 194', role: 'img' }, body);
      }
      function list(title, all, unit) {
        var line = doc.createElement('p');
        line.textContent = title + ': ' + (all.map(function (one) {
          return clock(one.at) + ' ' + fix(one.amount, 3) + ' ' + unit +
            (one.length >= 60 ? ' over ' + Math.round(one.length / 60) + ' min' : '');
        }).join(', ') || 'none') + '.';
        return line;
      }
      function view(day, line) {
        var figure = doc.createElement('figure'), caption = doc.createElement('figcaption');
        var parts = line.split('|'), pump = doc.getElementById('p' + parts[0]);
        var boluses = marks(parts[2], 1000), carbs = marks(parts[3], 10);
        caption.textContent = day + (pump ? ', ' + pump.textContent : '') +
          ': boluses above, basal rate below, by the wall clock';
        figure.innerHTML = drawing(steps(parts[1]), boluses, carbs, marks(parts[4], 1));
        figure.prepend(caption);
        figure.append(list('Boluses', boluses, 'IU'), list('Carbs', carbs, 'g'));
        if (parts[4]) figure.append(list('No data', marks(parts[4], 1).map(function (hole) {
          return { at: hole.at, amount: Math.round(hole.amount / 60), length: 0 };
        }), 'min'));
        return figure;
      }
      function show(day, toggles) {
        var row = doc.getElementById('d' + day), month, next, added, cell;
        if (!row) return;
        month = row.closest('details');
        if (month) month.open = true;
        next = row.nextElementSibling;
        if (next) if (next.className === 'view') {
          next.hidden = toggles ? !next.hidden : false;
          return;
        }
        added = doc.createElement('tr');
        cell = doc.createElement('td');
        added.className = 'view';
        cell.colSpan = 7;
        (data[day] || []).forEach(function (line) { cell.append(view(day, line)); });
        if (!data[day]) cell.textContent = 'No basal, bolus or meal of the output begins in this day.';
        added.append(cell);
        row.after(added);
      }
      function follow() {
        if (location.hash.slice(0, 2) !== '#d') return false;
        show(location.hash.slice(2), false);
        var row = doc.getElementById(location.hash.slice(1));
        if (row) row.scrollIntoView();
        return true;
      }
      addEventListener('hashchange', follow);
      doc.addEventListener('click', function (event) {
        var link = event.target.closest('a');
        if (link) if (link.hash) if (link.hash === location.hash) {
          event.preventDefault();
          show(link.hash.slice(2), true);
        }
      });
      if (!follow()) {
        var newest = doc.body.getAttribute('data-newest');
        if (newest) show(newest, false);
      }
    })();
    """#
}
