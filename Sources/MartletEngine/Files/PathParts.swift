/// The folder and the last name of a path, cut at its slashes.
///
/// Always true: any text has both, the empty one too; nothing is looked up. Foundation's `NSString` is not asked,
/// because it traps on a path of one character.
enum PathParts {
  /// The folder of what a path names: "." if the path is a name alone, and "/" for what lies at the top.
  static func folder(of path: String) -> String {
    guard let slash = lastSlash(of: path) else { return "." }
    let folder = trimmed(path.utf8[..<slash])
    return folder.isEmpty ? "/" : String(decoding: folder, as: UTF8.self)
  }

  /// The last name of a path, without slashes behind it; empty if there is none.
  static func name(of path: String) -> String {
    let whole = trimmed(path.utf8[...])
    guard let slash = lastSlash(of: path) else { return String(decoding: whole, as: UTF8.self) }
    return String(decoding: whole[whole.index(after: slash)...], as: UTF8.self)
  }

  /// The slash before the last name.
  private static func lastSlash(of path: String) -> String.UTF8View.Index? {
    trimmed(path.utf8[...]).lastIndex(of: UInt8(ascii: "/"))
  }

  private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
    var bytes = bytes
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return bytes
  }
}
