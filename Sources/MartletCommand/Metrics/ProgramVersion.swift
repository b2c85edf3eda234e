/// The program's version, as `--version`, the metrics and the package have it.
enum ProgramVersion {
  static let text = "0.1.0"
}
