/// The folders of a module from the bottom up, and the types that a file names from a folder above its own. The files
/// that are in no folder stand above them all.
///
/// Always true: types that share a name, private ones, and members that share a name with anything else of the module
/// are not looked at, so a finding is a real one.
import Foundation

struct FolderLadder {
  let module: String
  /// From the bottom up.
  let folders: [String]

  /// The ladders that docs/FOLDERS.md draws: a heading with a module's name, then a row for each folder.
  static func read(_ lines: [String]) -> [FolderLadder] {
    var ladders: [FolderLadder] = []
    var module = ""
    var folders: [String] = []
    for line in lines + ["#"] {
      if line.hasPrefix("#") {
        if !folders.isEmpty { ladders.append(FolderLadder(module: module, folders: folders)) }
        folders = []
        module = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
      } else if module.hasPrefix("Martlet") || module == "SQLite", let row = line.firstMatch(of: /^\| `(\w+)\/` \|/) {
        folders.append(String(row.1))
      }
    }
    return ladders
  }

  /// The files that are in no folder.
  private static let top = ""

  /// The folder of the module that a file is in; nil if it is in another module.
  func folder(of path: String) -> String? {
    let parts = path.split(separator: "/")
    guard parts.count > 2, parts[0] == "Sources", parts[1] == module else { return nil }
    return parts.count > 3 ? String(parts[2]) : Self.top
  }

  /// What is wrong: a folder without a row, a row without a folder, a name from above.
  func complaints(_ files: [(path: String, text: String)]) -> [String] {
    let own = files.filter { folder(of: $0.path) != nil && !$0.path.hasSuffix(".pb.swift") }
    let present = Set(own.compactMap { folder(of: $0.path) }).subtracting([Self.top])
    let steps = folders + [Self.top]
    var complaints = present.subtracting(folders).map { "\(module)/\($0) has no row in docs/FOLDERS.md" }
    complaints += Set(folders).subtracting(present).map { "\(module)/\($0) has a row, and no files" }

    let others = files.filter { folder(of: $0.path) == nil || $0.path.hasSuffix(".pb.swift") }
    let codes = own.map { (path: $0.path, code: Self.code($0.text)) }
    var homes: [String: Set<String>] = [:]
    var members: [String: Set<String>] = [:]
    for file in codes {
      let home = folder(of: file.path) ?? ""
      for type in Self.types(file.code) { homes[type, default: []].insert(home) }
      for member in Self.members(file.code) { members[member, default: []].insert(home) }
    }
    // What is declared once, in an extension, has one home.
    let declarations = Self.counted(codes.map(\.code))
    members = members.filter { declarations[$0.key] == 1 && !Self.ofOthers.contains($0.key) }
    for file in codes {
      guard let here = folder(of: file.path), let step = steps.firstIndex(of: here) else { continue }
      let named = Self.names(file.code).map { ($0, homes[$0]) } + Self.chosen(file.code).map { ($0, members[$0]) }
      for case (let name, let home?) in named where home.count == 1 {
        guard let above = steps.firstIndex(of: home.first ?? ""), above > step else { continue }
        if homes[name] == nil, Self.isDeclared(name, in: others) { continue }
        complaints.append("\(file.path) names \(name) of \(module)/\(steps[above]), which is above \(here)/")
      }
    }
    return complaints.sorted()
  }

  /// Without comments and what stands in quotation marks. By hand, because it goes over all of the sources.
  private static func code(_ text: String) -> String {
    let isIn = (text: UInt8(ascii: "\""), lines: UInt8(1), comment: UInt8(ascii: "/"), code: UInt8(0))
    var place = isIn.code
    var result: [UInt8] = []
    let bytes = Array(text.replacing("\"\"\"", with: "\u{1}").utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch place {
      case isIn.code:
        let begins = byte == isIn.text || byte == isIn.lines || (byte == isIn.comment && next == isIn.comment)
        if begins { place = byte } else { result.append(byte) }
      case isIn.comment:
        if byte == UInt8(ascii: "\n") {
          place = isIn.code
          result.append(byte)
        }
      default:
        if byte == UInt8(ascii: "\\") { index += 1 } else if byte == place { place = isIn.code }
      }
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The types that a file declares outside of others, and that other files can see.
  private static func types(_ code: String) -> [String] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    return code.split(separator: "\n").compactMap { line in
      guard let first = line.first, !first.isWhitespace else { return nil }
      let words = line.split(separator: " ")
      guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else { return nil }
      // `import struct Foundation.Date` declares nothing.
      guard Set(["private", "fileprivate", "import"]).isDisjoint(with: words[..<kind]) else { return nil }
      return String(words[kind + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
  }

  /// Members of the standard library that a module has for types of its own, too, and a case in a list of cases.
  private static let ofOthers: Set<String> = ["abs", "flatMap", "inserted", "negate", "removeAll"]

  /// Whether another module, or generated code, has a member of that name.
  private static func isDeclared(_ name: String, in files: [(path: String, text: String)]) -> Bool {
    files.contains { file in declaring.contains { file.text.contains("\($0) \(name)") } }
  }

  private static let declaring: Set<Substring> = ["func", "var", "let", "case"]

  /// The members that a file gives to types in extensions, and that other files can see.
  private static func members(_ code: String) -> [String] {
    var isExtension = false
    return code.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("  ") else {
        isExtension = line.hasPrefix("extension ") || line.contains(" extension ")
        return nil
      }
      guard isExtension, !line.hasPrefix("   ") else { return nil }
      return declared(line)
    }
  }

  /// What a line declares, if other files can see it.
  private static func declared(_ line: Substring) -> String? {
    let words = line.split(separator: " ")
    guard let kind = words.firstIndex(where: declaring.contains), kind + 1 < words.count else { return nil }
    guard Set(["private", "fileprivate"]).isDisjoint(with: words[..<kind]) else { return nil }
    let name = words[kind + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : String(name)
  }

  /// How often each name is declared, anywhere.
  private static func counted(_ codes: [String]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for code in codes {
      var words = code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.makeIterator()
      while let word = words.next() {
        if declaring.contains(word), let name = words.next() { counts[String(name), default: 0] += 1 }
      }
    }
    return counts
  }

  /// The names behind a dot, which are members of something.
  private static func chosen(_ code: String) -> Set<String> {
    var names: Set<String> = []
    for word in code.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }) {
      for name in word.split(separator: ".", omittingEmptySubsequences: false).dropFirst() where !name.isEmpty {
        names.insert(String(name))
      }
    }
    return names
  }

  /// The names of types; one behind another module's name is that module's, and one behind `Fields` or
  /// `GrammarFields` a message's.
  private static func names(_ code: String) -> Set<String> {
    let code = code.replacing(/\b(Martlet\w+|(Grammar)?Fields)\.\w+/, with: "")
    let words = code.utf8.split { byte in
      let isLetter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
      return !(isLetter || (0x30...0x39).contains(byte) || byte == 0x5F)
    }
    return Set(words.compactMap { (0x41...0x5A).contains($0.first ?? 0) || $0.first == 0x5F ? String($0) : nil })
  }
}
