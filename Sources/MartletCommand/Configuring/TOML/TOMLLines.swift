/// The lines on which a TOML text names its keys and tables.
///
/// Always true: it reads any text to its end; what it says is right for a text that a TOML parser has accepted.
struct TOMLLines {
  /// The components of a key's path; the tables of an array of tables are its components `0`, `1` and so on.
  typealias Path = [String]

  private var lines: [Path: Int] = [:]
  /// How many tables each array of tables has.
  private var counts: [Path: Int] = [:]
  /// The first place that no TOML parser would accept; nil: none that this one sees.
  private(set) var problem: ConfigurationMistake?

  /// Counted from 1; nil if the text does not name it.
  func line(of path: Path) -> Int? { lines[path] }

  init(_ text: String) {
    var scanner = TOMLScanner(text)
    var table: Path = []
    while scanner.skipToContent() {
      if scanner.skip("[") {
        table = header(&scanner)
      } else {
        keyAndValue(&scanner, in: table)
      }
      scanner.skipLine()
    }
  }

  /// After `[`.
  private mutating func header(_ scanner: inout TOMLScanner) -> Path {
    let line = scanner.line
    let isArray = scanner.skip("[")
    let key = shallow(scanner.key(), line)
    if key.isEmpty { refuse(line, "a table's name is missing, as in [limits]") }
    var path: Path = []
    for (index, component) in key.enumerated() {
      path.append(component)
      let isLast = index == key.count - 1
      if isLast && isArray {
        record(path, line)
        path.append("\(counts[path, default: 0])")
        counts[Array(path.dropLast()), default: 0] += 1
        lines[path] = line
      } else if let count = counts[path] {
        path.append("\(count - 1)")
      } else if isLast {
        // A header is a better place than the first key that implied the table.
        lines[path] = line
      } else {
        record(path, line)
      }
    }
    return path
  }

  private mutating func keyAndValue(_ scanner: inout TOMLScanner, in table: Path, depth: Int = 0) {
    let line = scanner.line
    var path = table
    for component in shallow(scanner.key(), line) {
      path.append(component)
      record(path, line)
    }
    scanner.skipBlanks()
    guard path.count > table.count, scanner.skip("=") else {
      return refuse(line, "a key and = are missing, as in loops = 2")
    }
    value(&scanner, at: path, depth: depth)
  }

  /// A key of a bounded number of parts; the parser of TOML goes down as deep as there are dots.
  private mutating func shallow(_ key: Path, _ line: Int) -> Path {
    guard key.count > ConfigurationLimits.depthMax else { return key }
    refuse(line, "a name has \(key.count) parts")
    return Path(key.prefix(1))
  }

  private mutating func value(_ scanner: inout TOMLScanner, at path: Path, depth: Int) {
    scanner.skipBlanks()
    guard depth < ConfigurationLimits.depthMax else {
      refuse(scanner.line, "lists and tables are \(depth) deep")
      return scanner.skipLine()
    }
    if scanner.skip("[") {
      var index = 0
      while scanner.skipToContent(), !scanner.skip("]") {
        let element = path + ["\(index)"]
        record(element, scanner.line)
        let start = scanner.offset
        value(&scanner, at: element, depth: depth + 1)
        if scanner.skipToContent(), scanner.skip(",") { index += 1 } else if scanner.offset == start { return }
      }
    } else if scanner.skip("{") {
      while scanner.skipToContent(), !scanner.skip("}") {
        let start = scanner.offset
        keyAndValue(&scanner, in: path, depth: depth + 1)
        if scanner.skipToContent(), !scanner.skip(","), scanner.offset == start { return }
      }
    } else if !scanner.skipScalar() {
      refuse(scanner.line, "a value is a text in quotation marks, a number, true, false, a [list] or a {table}")
    }
  }

  private mutating func refuse(_ line: Int, _ reason: String) {
    if problem == nil { problem = ConfigurationMistake(line: line, "This is no TOML: \(reason).") }
  }

  private mutating func record(_ path: Path, _ line: Int) {
    if lines[path] == nil { lines[path] = line }
  }
}
