/// What a disk was asked to do by one program, in one order, and what the program told others meanwhile.
///
/// Always true: entries are in the order in which the operations returned; a file keeps its number under any name.
package struct DiskLog: Sendable {
  package enum Entry: Sendable, Equatable {
    /// The file was there before the recording; what it held then is durable.
    case found(file: Int, name: String, bytes: [UInt8])
    case created(file: Int, name: String)
    case wrote(file: Int, offset: Int, bytes: [UInt8])
    case truncated(file: Int, size: Int)
    /// A sync begins beside other work: its end, the next one of that file, makes durable what was written before here.
    case syncBegan(file: Int)
    /// Everything that was written to the file before is durable, or before its sync began where that stands by itself.
    case synced(file: Int)
    /// A sync said that it failed. What it was for may be on the disk or not, and no later sync makes it durable.
    case syncFailed(file: Int)
    case deleted(name: String)
    /// Which files there are is durable.
    case directorySynced
    /// The program said that this piece of its work is done.
    case acknowledged(unit: Int)
  }

  package private(set) var entries: [Entry] = []

  package init(_ entries: [Entry] = []) { self.entries = entries }

  package mutating func append(_ entry: Entry) { entries.append(entry) }

  /// The log of a program that says "done" before it has synced: each acknowledgement stands before the sync that it
  /// waited for.
  package var withEarlyAcknowledgements: DiskLog {
    var early: [Entry] = []
    for entry in entries {
      guard case .acknowledged = entry,
        let sync = early.lastIndex(where: { if case .synced = $0 { true } else { false } })
      else {
        early.append(entry)
        continue
      }
      early.insert(entry, at: sync)
    }
    return DiskLog(early)
  }
}

/// The files that a machine finds when its power is back, by name.
package struct DiskImage: Sendable, Equatable {
  package var files: [String: [UInt8]] = [:]

  package init(files: [String: [UInt8]] = [:]) { self.files = files }
}
