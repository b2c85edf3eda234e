/// Names as SQLite compares them.
extension String {
  /// The text with the letters of ASCII in lower case. One that has no capital is returned as it is.
  public var lowercasedASCII: String {
    guard utf8.contains(where: { (65...90).contains($0) }) else { return self }
    return String(decoding: utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
