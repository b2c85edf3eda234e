/// What somebody else said, made fit for a log and a terminal.
enum PrintableText {
  static func of(_ text: String, lengthMax: Int) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(lengthMax) {
      let isPlain = scalar.value >= 32 && scalar.value != 127 && !(0x80...0x9F ~= scalar.value)
      let isHidden = scalar.properties.generalCategory == .format || scalar.properties.generalCategory == .control
      shown.unicodeScalars.append(isPlain && !isHidden ? scalar : "?")
    }
    return shown
  }
}
