internal import MartletValues
internal import Synchronization

/// Where the columns of a result are: what a row is asked by.
///
/// Always true: it is made once for a result. A program asks each row for the same columns in the same order, so the
/// place behind the last one is looked at first. There the expression itself is recognized, and no name is hashed.
@usableFromInline
final class RowLayout: Sendable {
  /// How a column may be asked for by its name alone, or by its table and its name.
  fileprivate struct Entry: Sendable {
    var table: String
    var name: String
    /// No other column of the result has the name.
    var isNameUnique = false
    /// No other column of the result has the table and the name.
    var isUnique = false
  }

  private let entries: [Entry]
  /// What was selected, as it is printed: for what is no column.
  private let texts: [String: Int]
  private let next = Atomic<Int>(0)
  /// For each column the expression that it was first asked by.
  private let asked: [AskedNode]

  /// - Parameters:
  ///   - columns: the result's columns.
  ///   - selected: the expressions that were selected, if each is one column; nil if some are `*`.
  ///   - tables: for each column the table that the query calls so; empty if it is none's.
  init(_ columns: [ResultColumn], selected: [Node]?, tables: [String]) {
    var entries: [Entry] = []
    var texts: [String: Int] = [:]
    for (index, column) in columns.enumerated() {
      var entry = Entry(table: index < tables.count ? tables[index] : "", name: column.name)
      if let selected, index < selected.count {
        let node = selected[index]
        if case .column(_, let table, let name) = node.kind { entry = Entry(table: table, name: name) }
        if case .alias(let inner, let name) = node.kind {
          entry = Entry(table: "", name: name)
          texts[inner.printed.text] = index
        }
        texts[node.printed.text] = index
      }
      entries.append(entry)
    }
    Self.findUnique(&entries)
    self.entries = entries
    self.texts = texts
    asked = entries.map { _ in AskedNode() }
  }

  private static func findUnique(_ entries: inout [Entry]) {
    var names: [String: Int] = [:]
    var places: [[String]: Int] = [:]
    for entry in entries {
      names[entry.name, default: 0] += 1
      places[[entry.table, entry.name], default: 0] += 1
    }
    for index in entries.indices {
      let entry = entries[index]
      entries[index].isNameUnique = names[entry.name] == 1
      entries[index].isUnique = places[[entry.table, entry.name]] == 1
    }
  }

  /// The place of what an expression stands for. Throws if there is none, or more than one.
  @usableFromInline
  func index(of node: Node) throws(QueryError) -> Int {
    let guess = next.load(ordering: .relaxed)
    if guess < asked.count, asked[guess].isSame(node) {
      next.store(guess &+ 1 == asked.count ? 0 : guess &+ 1, ordering: .relaxed)
      return guess
    }
    if case .column(let schema, let table, let name) = node.kind, schema.isEmpty {
      for index in entries.indices where entries[index].answers(table, name) {
        asked[index].note(node)
        next.store(index &+ 1 == entries.count ? 0 : index &+ 1, ordering: .relaxed)
        return index
      }
    }
    return try slowIndex(of: node)
  }

  private func slowIndex(of node: Node) throws(QueryError) -> Int {
    switch node.kind {
    case .column(_, let table, let name): return try index(table, name)
    case .alias(_, let name): return try index("", name)
    default: break
    }
    let text = node.printed.text
    if let index = texts[text] { return index }
    // A column that was selected by an expression of SQL's own words.
    let plain = entries.indices.filter { entries[$0].name == text || entries[$0].name.quoted() == text }
    guard plain.count == 1 else { throw .noSuchColumn(name: text, columns: names) }
    return plain[0]
  }

  private func index(_ table: String, _ name: String) throws(QueryError) -> Int {
    let text = table.isEmpty ? name.quoted() : "\(table.quoted()).\(name.quoted())"
    var found = entries.indices.filter { entries[$0].name == name && (table.isEmpty || entries[$0].table == table) }
    // A column that was selected by its name alone belongs to the one table that is asked for.
    if found.isEmpty, !table.isEmpty {
      found = entries.indices.filter { entries[$0].name == name && entries[$0].table.isEmpty }
    }
    if found.isEmpty, let index = texts[text] { return index }
    if found.isEmpty {
      // SQL's names have no case.
      let lower = name.lowercased()
      found = entries.indices.filter {
        entries[$0].name.lowercased() == lower && (table.isEmpty || entries[$0].table == table)
      }
    }
    switch found.count {
    case 0: throw .noSuchColumn(name: text, columns: names)
    case 1: return found[0]
    default: throw .ambiguousColumn(name: text, similar: found.map { entries[$0].text })
    }
  }

  /// The names that the columns can be asked for by.
  var names: [String] { entries.map(\.text) }

  /// The columns' names without their tables.
  var plainNames: [String] { entries.map(\.name) }
}

extension RowLayout.Entry {
  fileprivate func answers(_ table: String, _ name: String) -> Bool {
    guard self.name == name else { return false }
    return table.isEmpty ? isNameUnique : isUnique && self.table == table
  }

  fileprivate var text: String { table.isEmpty ? name.quoted() : "\(table.quoted()).\(name.quoted())" }
}

/// The expression that a column was first asked by.
///
/// Always true: it is noted once, and held from then on, so that no other expression can have its address.
private final class AskedNode: Sendable {
  private let address = Atomic<UInt>(0)

  func isSame(_ node: Node) -> Bool { address.load(ordering: .acquiring) == Self.address(of: node) }

  func note(_ node: Node) {
    guard address.load(ordering: .relaxed) == 0 else { return }
    // Retained because it must live as long as its address stands here.
    let retained = UInt(bitPattern: Unmanaged.passRetained(node).toOpaque())
    let (isNoted, _) = address.compareExchange(expected: 0, desired: retained, ordering: .releasing)
    // Released because another thread has noted one meanwhile.
    if !isNoted { Unmanaged.passUnretained(node).release() }
  }

  deinit {
    // It is the address of a node because only `note` sets it; released because that retained it.
    guard let node = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else { return }
    // Released because `note` retained it.
    Unmanaged<Node>.fromOpaque(node).release()
  }

  // Unretained because the address alone is compared.
  private static func address(of node: Node) -> UInt { UInt(bitPattern: Unmanaged.passUnretained(node).toOpaque()) }
}
