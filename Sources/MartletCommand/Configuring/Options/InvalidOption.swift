/// Why a value of an option cannot be: a sentence that starts with the option's name as it was written.
struct InvalidOption: Error, Equatable, CustomStringConvertible {
  var description: String
  init(_ sentence: String) { description = sentence }
}
