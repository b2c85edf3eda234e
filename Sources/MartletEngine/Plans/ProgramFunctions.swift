import Synchronization

/// The names of the functions that the program of this process has registered.
///
/// Always true: a name that was added stays. It only says that a function of a later SQLite is not refused by its name;
/// whether a connection has it, SQLite says.
package enum ProgramFunctions {
  private static let names = Mutex<Set<String>>([])

  package static func add(_ name: String) { _ = names.withLock { $0.insert(name.lowercased()) } }

  static var all: Set<String> { names.withLock { $0 } }
}
