/// Which pumpline this is.
package enum Release {
  /// The version, as `--version` and the files it writes name it.
  package static let version = "0.1.0"
  /// When it was made, as manuals write it.
  package static let date = "November 30, 2026"
}
