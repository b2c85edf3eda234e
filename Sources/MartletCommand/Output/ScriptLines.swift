/// The lines of a script, from the bytes of its file.
///
/// Always true: a line is what the file holds, byte for byte; what is no text of UTF-8 is refused with its line, so
/// nothing runs which reads otherwise than it was written.
struct ScriptLines {
  /// The file's name; nil: it has none.
  private let file: String?
  private var lineCount = 0

  init(of file: String? = nil) { self.file = file }

  /// The next line's text.
  mutating func line(_ bytes: some Collection<UInt8>) throws -> String {
    lineCount += 1
    var bytes = bytes[...]
    // Some editors begin a file with a mark that is no part of its text.
    if lineCount == 1, bytes.starts(with: Self.mark) { bytes = bytes.dropFirst(Self.mark.count) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure.scriptNotUTF8(ScriptPlace.of(line: lineCount, in: file))
    }
    guard !bytes.contains(0) else {
      throw CommandFailure.scriptWithZeroByte(ScriptPlace.of(line: lineCount, in: file))
    }
    return text
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Throws if the program was given an argument that is no text of UTF-8, in whose place Swift has another one.
  static func checkArguments() throws {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else { continue }
      throw CommandFailure.argumentNotUTF8(index)
    }
  }
}
