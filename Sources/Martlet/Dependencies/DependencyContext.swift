import Foundation

/// What a program runs as, which decides what its dependencies are unless something else is said.
///
/// Always true: it is found out once; `withDependencies` and `prepareDependencies` say another.
public enum DependencyContext: Sendable {
  /// The program itself.
  case live
  /// A preview of one of its views.
  case preview
  /// Its tests.
  case test

  static let current = DependencyContext(
    environment: ProcessInfo.processInfo.environment, arguments: ProcessInfo.processInfo.arguments)

  init(environment: [String: String], arguments: [String]) {
    if environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1" {
      self = .preview
    } else {
      self = Self.runsTests(environment, arguments) ? .test : .live
    }
  }

  /// Whether a tool that runs tests has started the process: Xcode says so in the environment, SwiftPM runs a bundle.
  private static func runsTests(_ environment: [String: String], _ arguments: [String]) -> Bool {
    let signs = ["XCTestBundlePath", "XCTestConfigurationFilePath", "XCTestSessionIdentifier"]
    if signs.contains(where: { environment[$0] != nil }) { return true }
    guard let program = arguments.first else { return false }
    let name = program.split(separator: "/").last.map(String.init) ?? program
    return name.hasSuffix(".xctest") || ["xctest", "swiftpm-testing-helper"].contains(name)
  }
}

extension DependencyValues {
  /// What the program runs as: `@Dependency(\.context) var context`.
  public var context: DependencyContext {
    get { self[ContextKey.self] }
    set { self[ContextKey.self] = newValue }
  }
}

enum ContextKey: DependencyKey {
  static var liveValue: DependencyContext { .current }
}
