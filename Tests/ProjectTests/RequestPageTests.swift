/// docs/LIFE-OF-A-REQUEST.md names functions and files that are there, and each function's caller before it.
///
/// Always true: `Type.function` is found if a file declares or extends the type and declares the function. What is a
/// call of it, and what only a call of a namesake, says `CallLookup`.
import Foundation
import Testing

@Suite struct RequestPageTests {
  private static let page = ProjectFiles.markdown.first { $0.path == "docs/LIFE-OF-A-REQUEST.md" }

  /// Everything in backticks, with words that a line's end cut put together.
  private static func quoted(in text: String) -> [String] {
    text.matches(of: /`([^`]+)`/).map { String($0.1) }
  }

  private static func names(in text: String) -> [(type: String, function: String)] {
    quoted(in: text).compactMap { words in
      guard let match = words.wholeMatch(of: /([A-Z]\w+)\.([a-z]\w*)/) else { return nil }
      return (String(match.1), String(match.2))
    }
  }

  /// The files that declare or extend a type, and of each file the functions that it declares.
  private static let declared: (filesOfTypes: [Substring: [Int]], functionsOfFiles: [Set<Substring>]) = {
    var files: [Substring: [Int]] = [:]
    var functions: [Set<Substring>] = []
    for (index, file) in ProjectFiles.sources.enumerated() {
      let text = file.text
      for match in text.matches(of: /(?:struct|class|enum|actor|protocol|extension) (\w+)/) {
        files[match.1, default: []].append(index)
      }
      functions.append(Set(text.matches(of: /func (\w+)[(<]/).map(\.1)))
    }
    return (files, functions)
  }()

  private static func isThere(_ type: String, _ function: String) -> Bool {
    declared.filesOfTypes[type[...], default: []].contains { declared.functionsOfFiles[$0].contains(function[...]) }
  }

  @Test func `each function that the page names is there`() throws {
    let names = Self.names(in: try #require(Self.page).text)
    #expect(names.count > 30)
    for (type, function) in names { #expect(Self.isThere(type, function), "\(type).\(function)") }
  }

  /// The steps of a part of the page, as texts.
  private static func steps(in part: Substring) -> [String] {
    var steps: [String] = []
    var isInside = false
    for line in part.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.prefixMatch(of: /\d+[.]\s/) != nil {
        steps.append(String(line))
        isInside = true
      } else if isInside, line.hasPrefix("   ") {
        steps[steps.count - 1] += "\n" + line
      } else {
        isInside = false
      }
    }
    return steps
  }

  /// The names that no file of a type that was named before, or in the same step, calls. The first step has no caller
  /// on the page: the system calls it.
  private static func uncalled(in steps: [String]) -> [String] {
    var types: Set<String> = []
    var uncalled: [String] = []
    for (index, step) in steps.enumerated() {
      let names = names(in: step)
      types.formUnion(names.map(\.type))
      guard index > 0 else { continue }
      for (type, function) in names where !calls.isCalled(function, of: type, by: types) {
        uncalled.append("\(type).\(function)")
      }
    }
    return uncalled
  }

  private static let calls = CallLookup(ProjectFiles.sources)

  @Test func `each function is called by a type that the page named before`() throws {
    let parts = try #require(Self.page).text.split(separator: "\n## ")
    let wayIn = Self.steps(in: parts[1])
    #expect(wayIn.count == 4)
    #expect(parts.count == 5)
    for part in parts.dropFirst(2) {
      let steps = wayIn + Self.steps(in: part)
      #expect(Self.uncalled(in: steps) == [], "\(part.prefix(30))")
      #expect(steps.count <= 10, "a way of more steps than a reader keeps in mind")
    }
  }

  @Test func `a step over a caller is seen`() {
    let first = "1. `Listener.accept`"
    #expect(Self.uncalled(in: [first, "2. `LoopSet.leastLoaded`"]) == ["LoopSet.leastLoaded"])
    #expect(Self.uncalled(in: ["1. `Server.listen`", "2. `LoopSet.leastLoaded`"]) == [])
  }

  /// One module in which a `Door` and a `Shop` both open.
  private static func opening(_ caller: String) -> CallLookup {
    let sources = [
      "struct Door: Movable {\n  func open() {}\n  private func turn() {}\n  func push() { turn() }\n}",
      "struct Shop {\n  func open() {}\n  static func first() -> Shop { Shop() }\n}", caller,
    ]
    return CallLookup(
      sources.enumerated().map { index, text in
        ProjectFiles.File(path: "Sources/A/A\(index).swift", lines: text.components(separatedBy: "\n"))
      })
  }

  @Test(arguments: [
    "class Hall {\n  let door: Door\n  func enter() { door.open() }\n}",
    "class Hall {\n  var doors: [Door] = []\n  func enter() { for one in doors { one.open() } }\n}",
    "class Hall {\n  let parts: [any Movable]\n  func enter() { parts.forEach { $0.open() } }\n}",
    "class Hall {\n  func door() -> Door? { nil }\n  func enter() {\n    door()?\n      .open()\n  }\n}",
    "class Hall {\n  let door: Door\n  func enter() { run(door.open) }\n}",
    "class Hall {\n  func enter() { Door().open() }\n}",
  ])
  func `a call by a receiver that can be of the type counts`(caller: String) {
    #expect(Self.opening(caller).isCalled("open", of: "Door", by: ["Hall"]))
  }

  @Test(arguments: [
    "class Hall {\n  let door: Shop\n  func enter() { door.open() }\n}",
    "class Hall {\n  let shops: [Shop]\n  func enter() { for one in shops { one.open() } }\n}",
    "class Hall {\n  func enter() { Shop.first().open() }\n}",
    "class Hall {\n  func open() {}\n  func enter() { open() }\n}",
    "class Hall {\n  func open() {}\n  func enter() { self.open() }\n}",
    "class Hall {\n  let door: Door // door.open()\n}",
  ])
  func `a call of a namesake is no call`(caller: String) {
    #expect(!Self.opening(caller).isCalled("open", of: "Door", by: ["Hall"]))
  }

  @Test func `a file calls a function that it declares by its bare name only where nobody else can`() {
    let calls = Self.opening("struct Gate {\n  func open() {}\n  func push() { open() }\n}")
    #expect(calls.isCalled("turn", of: "Door", by: ["Door"]))
    #expect(!calls.isCalled("open", of: "Gate", by: ["Gate"]))
  }

  @Test func `each file that the page names is there`() throws {
    let paths = Self.quoted(in: try #require(Self.page).text).filter { $0.hasPrefix("Martlet") && $0.contains("/") }
    #expect(paths.count > 15)
    let sources = Set(ProjectFiles.sources.map(\.path))
    for path in paths { #expect(sources.contains("Sources/" + path), "\(path)") }
  }

  @Test func `a name that is not there is seen`() {
    let names = Self.names(in: "**`Writer.enqueue`** and `Writer.enqueues`, `Nobody.enqueue`, `Sources/A.swift`")
    #expect(names.map { Self.isThere($0.type, $0.function) } == [true, false, false])
  }
}
