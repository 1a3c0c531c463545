// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func module(
  _ name: String, in folder: String = "", _ dependencies: [Target.Dependency] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(folder)\(name)",
    swiftSettings: settings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    // TestSupport hands Demo on; what is used of it must be built anew when it changes.
    name: name + "Tests", dependencies: dependencies + ["TestSupport", "Demo"],
    path: "Tests/\(name)Tests", exclude: exclude, swiftSettings: settings)
}

func system(_ name: String, _ package: String, _ apt: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/System/\(name)", pkgConfig: package, providers: [.apt([apt])])
}

let package = Package(
  name: "pumpline",
  platforms: [.macOS(.v26)],
  products: [.executable(name: "pumpline", targets: ["pumpline"])],
  targets: [
    system("CSQLite", "sqlite3", "libsqlite3-dev"),
    system("CLibArchive", "libarchive", "libarchive-dev"),
    system("CCrypto", "libcrypto", "libssl-dev"),
    system("CYAML", "yaml-0.1", "libyaml-dev"),
    system("CXML", "libxml-2.0", "libxml2-dev"),
    // Its headers only: libcurl is loaded by the commands that need it, so it is not linked.
    .systemLibrary(
      name: "CCurl", path: "Sources/System/CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CMalloc", path: "Sources/System/CMalloc"),

    module("PumpModel"),
    module(
      "Platform",
      ["PumpModel", "CSQLite", "CLibArchive", "CCrypto", "CYAML", "CXML", "CCurl", "CMalloc"]),
    module("Extract", in: "Stages/", ["PumpModel", "Platform"]),
    module("Decode", in: "Stages/", ["PumpModel"]),
    module("Normalize", in: "Stages/", ["PumpModel"]),
    module("Deduplicate", in: "Stages/", ["PumpModel", "Platform"]),
    module("Emit", in: "Stages/", ["PumpModel", "Platform"]),
    module("Audit", in: "Stages/", ["PumpModel", "Platform"]),
    module("Demo", ["PumpModel"]),
    module(
      "Pipeline",
      [
        "PumpModel", "Platform", "Demo", "Extract", "Decode", "Normalize", "Deduplicate", "Emit",
        "Audit",
      ]),
    .executableTarget(
      name: "pumpline", dependencies: ["PumpModel", "Platform", "Pipeline"],
      path: "Sources/pumpline", swiftSettings: settings),

    .target(
      name: "TestSupport", dependencies: ["PumpModel", "Demo", "CLibArchive", "CCrypto"],
      path: "Tests/TestSupport",
      swiftSettings: settings),
    .executableTarget(
      name: "pumpline-bench",
      dependencies: ["PumpModel", "Platform", "Decode", "Emit", "Demo", "TestSupport"],
      path: "Benchmarks/pumpline-bench", swiftSettings: settings),
    tests("PumpModel", ["PumpModel"]),
    tests("Platform", ["PumpModel", "Platform"]),
    tests("Extract", ["PumpModel", "Platform", "Extract"]),
    tests("Decode", ["PumpModel", "Decode"]),
    tests("Normalize", ["PumpModel", "Normalize", "Decode"]),
    tests("Deduplicate", ["PumpModel", "Platform", "Deduplicate"]),
    tests("Emit", ["PumpModel", "Platform", "Decode", "Emit"], exclude: ["Goldens"]),
    tests("Audit", ["PumpModel", "Platform", "Audit"]),
    tests(
      "Pipeline", ["PumpModel", "Platform", "Pipeline", "Deduplicate", "Normalize", "Emit"],
      exclude: ["RulesVersion.txt"]),
    tests(
      "CommandLine", ["PumpModel", "Platform", "Pipeline", "pumpline"], exclude: ["Snapshots"]),
    tests("Documentation", ["PumpModel", "Platform", "Decode", "Emit", "Pipeline"]),
    tests("EndToEnd", ["PumpModel", "Pipeline"], exclude: ["Goldens"]),
  ]
)
