/// One instruction of a statement's program, as `EXPLAIN` lists it.
struct Instruction {
  /// Its place in the program; that of a trigger begins at 0 again.
  let address: Int
  let name: String
  let first: Int
  let second: Int
  let third: Int
  /// A function's name and width, a constant, or what a virtual table is to look for.
  let text: String
  let flags: Int

  /// Whether it calls a function for one row.
  var callsFunction: Bool { name == "Function" || name == "PureFunc" }

  /// The name of the function that it calls, and how many arguments that was registered for: -1 for any number.
  var function: (name: String, width: Int) {
    let parts = text.split(separator: "(", maxSplits: 1)
    let width = parts.count > 1 ? Int(parts[1].prefix { $0 != ")" }) : nil
    return (parts.first.map(String.init) ?? "", width ?? -1)
  }
}
