/// What is wrong at a place of a configuration file.
///
/// Always true: it is a sentence, and its line is at least 1; nil: it concerns the file as a whole.
struct ConfigurationMistake: Error, Equatable {
  var line: Int?
  var sentence: String

  init(line: Int?, _ sentence: String) {
    self.line = line.map { max(1, $0) }
    self.sentence = sentence
  }

  /// `martlet.toml:12: …`
  func text(file: String) -> String { file + (line.map { ":\($0)" } ?? "") + ": " + sentence }
}

/// All that is wrong in a configuration file.
///
/// Always true: there is at least one, in the order of their lines.
struct InvalidConfiguration: Error, Equatable, CustomStringConvertible {
  var file: String
  var mistakes: [ConfigurationMistake]

  init(file: String, _ mistakes: [ConfigurationMistake]) {
    self.file = file
    self.mistakes = Self.sorted(mistakes)
  }

  /// A line for each, and one before them if there are several.
  var description: String {
    let lines = mistakes.map { $0.text(file: file) }
    return (lines.count > 1 ? ["\(file) has \(lines.count) mistakes."] + lines : lines).joined(separator: "\n")
  }

  /// The mistakes in the order of their lines. Those of one line stay in their order.
  static func sorted(_ mistakes: [ConfigurationMistake]) -> [ConfigurationMistake] {
    mistakes.enumerated().sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
      .map(\.element)
  }
}
