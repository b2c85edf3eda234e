/// Plays a disk's log up to any entry, and returns the states in which a loss of power may leave the disk there.
///
/// Always true: what was synced is in every state; what was not is there, missing, or there in part, in any
/// combination of sectors, and so are a file's length and the directory's entries.
package struct DiskReplay: Sendable {
  /// How much of what was not synced survives.
  package enum Loss: Sendable, Equatable, CaseIterable {
    case nothingLost
    case onlySynced
    /// Each sector of 512 or 4,096 bytes of each write, on its own; a file may be as long as if it had all of them.
    case sectors512
    case sectors4096
    /// The same, and what lies beyond the durable length of a file is gone.
    case sectors512Short
    case sectors4096Short
    /// Writes arrived in order until one of them, which is torn at a sector.
    case torn512
    case torn4096
    /// Like `nothingLost`, but files that were made or deleted since the directory was synced are not, or still are.
    case staleDirectory
  }

  private enum Pending {
    case write(offset: Int, bytes: [UInt8])
    case truncate(size: Int)

    var range: Range<Int> {
      switch self {
      case .write(let offset, let bytes): offset..<offset + bytes.count
      case .truncate(let size): size..<Int.max
      }
    }
  }

  private struct File {
    var durable: [UInt8] = []
    var current: [UInt8] = []
    var pending: [Pending] = []
    /// How many of those were there when a sync failed: systems take them for written, whether they were or not.
    var abandoned = 0

    /// How many of those there were when each sync that runs began.
    var begun: [Int] = []

    mutating func syncFailed() {
      abandoned = pending.count
      begun = []
    }

    mutating func sync() {
      let end = max(abandoned, begun.isEmpty ? pending.count : begun.removeFirst())
      let later = pending[abandoned..<end]
      // Only what was written again is durable; the rest of what a failed sync left stays uncertain.
      let left = pending[..<abandoned].filter { old in !later.contains { $0.range.overlaps(old.range) } }
      for pending in later {
        switch pending {
        case .write(let offset, let bytes): durable.write(bytes[...], at: offset)
        case .truncate(let size): durable.resize(size)
        }
      }
      let rest = pending[end...]
      begun = begun.map { max(left.count, $0 - end + left.count) }
      pending = left + rest
      abandoned = left.count
    }
  }

  private let entries: [DiskLog.Entry]
  private var files: [Int: File] = [:]
  private var durableNames: [String: Int] = [:]
  private var names: [String: Int] = [:]
  /// Entries that have been played.
  package private(set) var position = 0
  package private(set) var acknowledged: Set<Int> = []

  package init(_ log: DiskLog) { entries = log.entries }

  package var isAtEnd: Bool { position == entries.count }

  /// Whether losing power here can lose anything that was written.
  package var hasPending: Bool { names != durableNames || files.values.contains { !$0.pending.isEmpty } }

  /// Plays the next entry.
  package mutating func advance() {
    guard !isAtEnd else { return }
    switch entries[position] {
    case .found(let file, let name, let bytes):
      files[file] = File(durable: bytes, current: bytes)
      names[name] = file
      durableNames[name] = file
    case .created(let file, let name):
      files[file] = File()
      names[name] = file
    case .wrote(let file, let offset, let bytes):
      files[file]?.current.write(bytes[...], at: offset)
      files[file]?.pending.append(.write(offset: offset, bytes: bytes))
    case .truncated(let file, let size):
      files[file]?.current.resize(size)
      files[file]?.pending.append(.truncate(size: size))
    case .syncBegan(let file): files[file].map { files[file]?.begun.append($0.pending.count) }
    case .synced(let file): files[file]?.sync()
    case .syncFailed(let file): files[file]?.syncFailed()
    case .deleted(let name): names[name] = nil
    case .directorySynced: durableNames = names
    case .acknowledged(let unit): acknowledged.insert(unit)
    }
    position += 1
  }

  /// A state in which the disk may be if power is lost now.
  package func image(_ loss: Loss, using random: inout some RandomNumberGenerator) -> DiskImage {
    var image = DiskImage()
    let isStale = loss == .staleDirectory || (loss != .nothingLost && Bool.random(using: &random))
    // In the order of their names, so that a seed always gives the same state.
    for (name, number) in (isStale ? durableNames : names).sorted(by: { $0.key < $1.key }) {
      guard let file = files[number] else { continue }
      image.files[name] = Self.bytes(of: file, loss, using: &random)
    }
    return image
  }

  private static func bytes(of file: File, _ loss: Loss, using random: inout some RandomNumberGenerator) -> [UInt8] {
    switch loss {
    case .nothingLost, .staleDirectory: return file.current
    case .onlySynced: return file.durable
    case .sectors512: return scattered(file, sector: 512, isShort: false, using: &random)
    case .sectors4096: return scattered(file, sector: 4096, isShort: false, using: &random)
    case .sectors512Short: return scattered(file, sector: 512, isShort: true, using: &random)
    case .sectors4096Short: return scattered(file, sector: 4096, isShort: true, using: &random)
    case .torn512: return torn(file, sector: 512, using: &random)
    case .torn4096: return torn(file, sector: 4096, using: &random)
    }
  }

  private static func scattered(
    _ file: File, sector: Int, isShort: Bool, using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    var bytes = file.durable
    // Now most survive, now hardly any: a run of fair coins would hardly ever keep or lose all of a transaction.
    let odds = [1, 8, 15].randomElement(using: &random) ?? 8
    for pending in file.pending {
      switch pending {
      case .write(let offset, let written):
        for range in sectors(of: written, at: offset, sector) where Int.random(in: 0..<16, using: &random) < odds {
          bytes.write(written[range], at: offset + range.lowerBound)
        }
      case .truncate(let size): if Bool.random(using: &random) { bytes.resize(size) }
      }
    }
    if isShort { bytes.resize(min(bytes.count, file.durable.count)) } else { bytes.resize(file.current.count) }
    return bytes
  }

  private static func torn(_ file: File, sector: Int, using random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes = file.durable
    guard !file.pending.isEmpty else { return bytes }
    let last = Int.random(in: 0..<file.pending.count, using: &random)
    for (index, pending) in file.pending[...last].enumerated() {
      switch pending {
      case .write(let offset, let written):
        let pieces = sectors(of: written, at: offset, sector)
        let kept = index < last ? pieces.count : Int.random(in: 0...pieces.count, using: &random)
        for range in pieces.prefix(kept) { bytes.write(written[range], at: offset + range.lowerBound) }
      case .truncate(let size): bytes.resize(size)
      }
    }
    return bytes
  }

  /// The parts of a write that lie in different sectors of the file.
  private static func sectors(of bytes: [UInt8], at offset: Int, _ sector: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, ((offset + start) / sector + 1) * sector - offset)
      ranges.append(start..<end)
      start = end
    }
    return ranges
  }
}

extension [UInt8] {
  /// Puts bytes at an offset, with zeros before it if the file was shorter.
  fileprivate mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    if count < offset + bytes.count { append(contentsOf: repeatElement(0, count: offset + bytes.count - count)) }
    replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }

  fileprivate mutating func resize(_ size: Int) {
    if size < count { removeLast(count - size) } else { append(contentsOf: repeatElement(0, count: size - count)) }
  }
}
