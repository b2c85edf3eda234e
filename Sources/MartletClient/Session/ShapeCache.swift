internal import MartletValues

/// What a connection knows about shapes: which ids the server has, and what their columns are called.
///
/// Always true: at most `capacity` shapes; those that were not used lately go first. It keeps two generations: when the
/// young one is half of the capacity it becomes the old one, and what is used again becomes young again.
struct ShapeCache: Sendable {
  struct Entry: Sendable, Equatable {
    /// The server has answered a request that named this id, or gave the id itself.
    var isPrepared = false
    var layout: ColumnLayout?
  }

  private let half: Int
  private var young: [ShapeID: Entry] = [:]
  private var old: [ShapeID: Entry] = [:]

  init(capacity: Int) { half = max(1, capacity / 2) }

  var count: Int { young.count + old.count }

  subscript(shape: ShapeID) -> Entry? {
    mutating get {
      if let entry = young[shape] { return entry }
      guard let entry = old.removeValue(forKey: shape) else { return nil }
      store(entry, for: shape)
      return entry
    }
    set {
      old.removeValue(forKey: shape)
      if let newValue { store(newValue, for: shape) } else { young.removeValue(forKey: shape) }
    }
  }

  subscript(shape: ShapeID, default entry: @autoclosure () -> Entry) -> Entry {
    mutating get { self[shape] ?? entry() }
    set { self[shape] = newValue }
  }

  private mutating func store(_ entry: Entry, for shape: ShapeID) {
    if young.count >= half && young[shape] == nil {
      old = young
      young = [:]
    }
    young[shape] = entry
  }
}
