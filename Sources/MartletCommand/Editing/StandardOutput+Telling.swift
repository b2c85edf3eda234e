/// Sentences for whoever sits at the terminal.
extension StandardOutput {
  /// Sentences for people: a terminal's lines end between words.
  static func tell(_ text: String) {
    complain(isErrorTerminal ? WrappedText.of(text, columns: Terminal.columns) : text)
  }
}
