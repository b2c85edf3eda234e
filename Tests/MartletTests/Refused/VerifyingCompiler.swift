/// The compiler as the judge of sources that must not compile: it compares what it says of each line with what the
/// line's comment expects (`-verify`).
///
/// Always true: a verdict counts only where the compiler also refused a witness, which expects what nobody says; so a
/// compiler that did not run, or stopped on the way, approves of nothing.
import Foundation
import MartletTestSupport

struct VerifyingCompiler {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// What is wrong, by the name of the source.
  typealias Complaints = [String: [String]]

  private let options: [String]
  private let folder: TemporaryFolder
  /// The name of a source at which the compiler is told to crash.
  private let crashes: String?

  init(crashingAt name: String? = nil) throws {
    options = try BuildProducts.besideTheTests().compilerOptions(module: "Refused")
    folder = try TemporaryFolder()
    crashes = name
  }

  /// Judges the sources together. If the compiler does not come to the end, it judges each by itself, so that a
  /// source that it crashes on hides no other.
  func complaints(about sources: [RefusedSource]) throws -> Complaints {
    var found: Complaints = [:]
    for source in sources where source.expectations.isEmpty {
      found[source.name] = ["nothing is expected: write // expected-error {{…}} where it must not compile"]
    }
    let judged = sources.filter { !$0.expectations.isEmpty }
    if judged.isEmpty { return found }
    if let verdict = try verdict(on: judged).complaints { return found.merging(verdict) { $0 + $1 } }
    for source in judged {
      let (complaints, output) = try verdict(on: [source])
      if let complaints {
        found.merge(complaints) { $0 + $1 }
      } else {
        found[source.name, default: []].append("the compiler did not come to the end: \(output.prefix(2000))")
      }
    }
    return found
  }

  // MARK: - Running

  private static let witness = RefusedSource(
    name: "Witness", text: "let witness = 1  // expected-error {{what nobody says}}\n")

  /// The complaints, or nil where the witness was not refused, and all that the compiler wrote.
  private func verdict(on sources: [RefusedSource]) throws -> (complaints: Complaints?, output: String) {
    let all = [try RefusedSource.named(RefusedSource.tables)] + sources + [Self.witness]
    let paths = try all.map { source in
      let path = folder.path + "/\(source.name).swift"
      try Data(source.text.utf8).write(to: URL(filePath: path))
      return path
    }
    let crash = sources.contains { $0.name == crashes } ? ["-Xfrontend", "-debug-crash-after-parse"] : []
    let verify = ["-typecheck", "-wmo", "-Xfrontend", "-verify"] + Self.leniency
    let output = try CompilerRun.swiftc(verify + crash + options + paths, in: folder).output
    // The witness is always refused, so silence is no approval.
    if output.isEmpty { throw Failure(description: "swiftc said nothing: is it in PATH, and can it run?") }
    var complaints: Complaints = [:]
    for line in output.split(separator: "\n") {
      guard let parts = try /^(?:.*\/)?([A-Za-z]+)\.swift:(\d+):\d+: (?:error|warning): (.*)$/.wholeMatch(in: line)
      else { continue }
      // The compiler's notes explain its sentences. Those that bring a fix of the macros are expected, and checked.
      if parts.3.hasPrefix("unexpected note") { continue }
      complaints[String(parts.1), default: []].append("line \(parts.2): \(parts.3)")
    }
    let isBelievable = complaints.removeValue(forKey: Self.witness.name) != nil
    return (isBelievable ? complaints : nil, output)
  }

  /// What the compiler says of other files, such as what a macro expanded to, is no part of the sentence.
  private static let leniency = ["-verify-ignore-unknown", "-verify-ignore-unrelated"].flatMap { ["-Xfrontend", $0] }
}
