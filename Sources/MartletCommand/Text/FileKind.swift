/// Files that people give an import and that are no text of UTF-8, told by the bytes that they begin with.
///
/// Always true: what is recognized is refused with the command that makes a text of it.
enum FileKind: CaseIterable {
  case gzip, zstandard, bzip2, xz, zip, utf16, sqlite

  private var beginnings: [[UInt8]] {
    switch self {
    case .gzip: [[0x1F, 0x8B]]
    case .zstandard: [[0x28, 0xB5, 0x2F, 0xFD]]
    case .bzip2: (1...9).map { Array("BZh\($0)1AY&SY".utf8) }
    case .xz: [[0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]]
    case .zip: [[0x50, 0x4B, 0x03, 0x04]]
    case .utf16: [[0xFF, 0xFE], [0xFE, 0xFF]]
    case .sqlite: [Array("SQLite format 3\0".utf8)]
    }
  }

  /// Nil: it may be text.
  init?(_ beginning: [UInt8]) {
    guard let kind = Self.allCases.first(where: { $0.beginnings.contains(where: beginning.starts) }) else { return nil }
    self = kind
  }

  /// Nil: it may be text, or it cannot be read, or it is a pipe, of which nothing must be taken.
  init?(ofFile path: String) {
    guard (try? FileText.byteCount(of: path)) != nil, var pieces = try? FilePieces(path),
      let beginning = try? pieces.next()
    else { return nil }
    self.init(beginning)
  }

  /// `name` is the file's, as people know it.
  func refusal(of name: String) -> CommandFailure {
    switch self {
    case .gzip: compressed(name, by: "gzip", "zcat")
    case .zstandard: compressed(name, by: "zstd", "zstdcat")
    case .bzip2: compressed(name, by: "bzip2", "bzcat")
    case .xz: compressed(name, by: "xz", "xzcat")
    case .zip: CommandFailure.isArchive(name)
    case .utf16:
      CommandFailure.isUTF16(name)
    case .sqlite: CommandFailure.isSQLiteFile(name)
    }
  }

  private func compressed(_ name: String, by program: String, _ command: String) -> CommandFailure {
    CommandFailure.isCompressed(name, with: program, command)
  }
}
