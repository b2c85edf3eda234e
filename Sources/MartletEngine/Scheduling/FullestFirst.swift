/// Counts by number, with the highest at hand.
///
/// Always true: of equal counts the one of the higher number comes first; a change costs the logarithm of how many
/// there are; what counts nothing is not here.
struct FullestFirst: Equatable {
  struct Entry: Equatable {
    let key: UInt64
    var count: Int

    fileprivate func comesBefore(_ other: Entry) -> Bool { (count, key) > (other.count, other.key) }
  }

  /// A heap: each comes before the two at twice its place.
  private var entries: [Entry] = []
  private var places: [UInt64: Int] = [:]

  var isEmpty: Bool { entries.isEmpty }
  var fullest: Entry? { entries.first }
  /// In no order.
  var all: [Entry] { entries }

  func count(of key: UInt64) -> Int { places[key].map { entries[$0].count } ?? 0 }

  mutating func change(_ key: UInt64, by change: Int) {
    guard change != 0 else { return }
    let place: Int
    if let known = places[key] {
      place = known
      entries[place].count += change
    } else {
      place = entries.count
      entries.append(Entry(key: key, count: change))
      places[key] = place
    }
    if entries[place].count > 0 { move(place) } else { remove(place) }
  }

  private mutating func remove(_ place: Int) {
    places[entries[place].key] = nil
    let last = entries.removeLast()
    guard place < entries.count else { return }
    entries[place] = last
    places[last.key] = place
    move(place)
  }

  /// To where it belongs, towards the front or the end.
  private mutating func move(_ from: Int) {
    var place = from
    while place > 0, entries[place].comesBefore(entries[(place - 1) / 2]) {
      swap(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
    while let next = fuller(of: 2 * place + 1), entries[next].comesBefore(entries[place]) {
      swap(place, next)
      place = next
    }
  }

  /// The one of two neighbours that comes before the other; nil if there is none.
  private func fuller(of left: Int) -> Int? {
    guard left + 1 < entries.count else { return left < entries.count ? left : nil }
    return entries[left + 1].comesBefore(entries[left]) ? left + 1 : left
  }

  private mutating func swap(_ one: Int, _ other: Int) {
    entries.swapAt(one, other)
    places[entries[one].key] = one
    places[entries[other].key] = other
  }
}
