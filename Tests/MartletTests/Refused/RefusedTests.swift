/// What must not compile does not, and the compiler says why in the expected words. The sources stand in `Sources`, one
/// for each kind of mistake.
import Foundation
import MartletTestSupport
import Testing

@Suite struct RefusedTests {
  /// Judged once, all in one run of the compiler.
  private static let complaints = Result {
    try VerifyingCompiler().complaints(about: RefusedSource.names.map(RefusedSource.named))
  }

  @Test(arguments: RefusedSource.names)
  func `mistakes are refused with a sentence`(name: String) throws {
    let complaints = try Self.complaints.get()
    #expect(complaints[name] == nil, "\(name).swift:\n\(complaints[name]?.joined(separator: "\n") ?? "")")
  }

  @Test func `the tables of the mistakes are none`() throws {
    #expect(try Self.complaints.get()[RefusedSource.tables] == nil)
  }

  /// What a macro wrote is refused in what it wrote, of which `-verify` says nothing.
  @Test(arguments: [
    ("case other(Other)", "No column holds this type"),
    ("@Column(as: Date.UnixTimeRepresentation.self) case at(String)", "String"),
  ])
  func `a case that no column holds is an error, and ends no compiler`(one: String, sentence: String) throws {
    let folder = try TemporaryFolder()
    let source = folder.path + "/Kind.swift"
    let text = "import Foundation\nimport Martlet\nstruct Other {}\n@Selection enum Kind { case number(Int); \(one) }\n"
    try Data(text.utf8).write(to: URL(filePath: source))
    let options = try BuildProducts.besideTheTests().compilerOptions(module: "Refused")
    let run = try CompilerRun.swiftc(["-emit-sil", "-o", folder.path + "/Kind.sil"] + options + [source], in: folder)
    #expect(!run.succeeded && run.output.contains(sentence), "\(run.output)")
    #expect(!run.output.contains("Stack dump"), "\(run.output)")
  }

  @Test func `many mistakes of many kinds are tried`() throws {
    let sources = try RefusedSource.names.map(RefusedSource.named)
    #expect(sources.count >= 16)
    #expect(sources.map(\.expectations.count).reduce(0, +) >= 250)
  }

  /// Every message of the macros, as the sources of the macros write it: what is interpolated may be anything.
  private static let messages: [(name: String, pieces: [String])] = {
    let folder = BuildProducts.projectRoot.appending(path: "Sources/MartletMacros")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".swift") }.flatMap { file in
      let text = (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
      let calls = text.matches(of: /(?:Message\(|report\(\w+, )\s*"(\w+)",\s*"((?:[^"\\]|\\.)*)"/)
      // `ifConfig` is for compilers that do not say what holds; this one does.
      return calls.filter { !["fix", "ifConfig"].contains($0.1) }.map { (String($0.1), pieces(of: String($0.2))) }
    }
  }()

  /// The texts between the interpolations of a literal.
  private static func pieces(of literal: String) -> [String] {
    literal.replacing("\\\"", with: "\"").replacing("\\\\(", with: "\u{1}")
      .split(separator: /\\\([^()]*(?:\([^()]*\)[^()]*)*\)/)
      .map { String($0).replacing("\u{1}", with: "\\(") }
  }

  @Test func `each message of the macros is expected somewhere`() throws {
    let expected = try RefusedSource.names.map(RefusedSource.named).flatMap(\.expectations)
    #expect(Self.messages.count > 35)
    for (name, pieces) in Self.messages {
      let isExpected = expected.contains { sentence in
        var rest = sentence[...]
        return pieces.allSatisfy { piece in
          guard let place = rest.range(of: piece.prefix(40)) else { return false }
          rest = rest[place.upperBound...]
          return true
        }
      }
      #expect(isExpected, "\(name): \(pieces.joined(separator: "…"))")
    }
  }
}

/// The suite can fail: each source here is wrong in a way of its own, and is reported.
@Suite struct RefusedVerdictTests {
  private func complaints(
    about texts: [String: String], crashingAt name: String? = nil
  ) throws -> VerifyingCompiler.Complaints {
    let sources = texts.map { RefusedSource(name: $0.key, text: $0.value) }
    return try VerifyingCompiler(crashingAt: name).complaints(about: sources)
  }

  @Test func `a source that compiles is reported`() throws {
    let text = "import Martlet\nlet query = Reminder.all  // expected-error {{nothing is wrong}}\n"
    #expect(try complaints(about: ["Right": text])["Right"]?.count == 1)
  }

  @Test func `another sentence, and another fix, are reported`() throws {
    let unexpected = "let number: Int = \"1\"\n"
    let other = unexpected + "// expected-error@-1 {{of another kind}}\n"
    let fix = "let number = 1 as Int?\nlet other: Int = number  // expected-error {{must be unwrapped}} {{1-2=x}}\n"
    let found = try complaints(about: ["Other": other, "Fix": fix.replacing("number", with: "second")])
    #expect(found["Other"] != nil)
    #expect(found["Fix"] != nil)
  }

  @Test func `a source that expects nothing is reported`() throws {
    #expect(try complaints(about: ["Silent": "let number: Int = \"1\"\n"])["Silent"]?.count == 1)
  }

  @Test func `a source that the compiler crashes on is reported and hides no other`() throws {
    let right = "let good: Int = \"1\"  // expected-error {{cannot convert value}}\n"
    let wrong = "let bad = 1  // expected-error {{cannot convert value}}\n"
    let found = try complaints(
      about: ["Good": right, "Bad": wrong, "Fatal": right.replacing("good", with: "fatal")], crashingAt: "Fatal")
    #expect(found["Good"] == nil)
    #expect(found["Bad"]?.count == 1)
    #expect(found["Fatal"]?.first?.contains("did not come to the end") == true)
  }
}
