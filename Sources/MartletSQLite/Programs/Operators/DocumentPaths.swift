/// Paths by which functions look for members of one document, each of which they write anew.
///
/// Always true: paths of one member are the same, or one leads through the other, however they are written; a path of
/// which nobody knows that may be any.
struct DocumentPaths {
  private struct Member {
    var asked = 0
    var members: [String: Int] = [:]
  }

  /// The first is the document.
  private var all = [Member()]
  private var unknown = 0

  /// `path`: nil if it is not known.
  mutating func ask(for path: String?) {
    guard let path, !path.contains("\\"), !path.contains("#") else {
      unknown += 1
      return
    }
    var place = 0
    for step in path.split(whereSeparator: { "$.[]\"".contains($0) }) {
      let name = Int(step).map(String.init) ?? String(step)
      if let next = all[place].members[name] {
        place = next
      } else {
        all.append(Member())
        all[place].members[name] = all.count - 1
        place = all.count - 1
      }
    }
    all[place].asked += 1
  }

  /// How often one and the same byte of the document is written, at most.
  var most: Int {
    // Each stands behind the one that it is in.
    var through = Array(repeating: 0, count: all.count)
    var most = 0
    for (place, member) in all.enumerated() {
      through[place] += member.asked
      most = max(most, through[place])
      for next in member.members.values { through[next] = through[place] }
    }
    return most + unknown
  }
}
