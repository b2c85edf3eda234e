import Foundation
import MartletValues

/// The record of how far the commits' numbers have been given out, which lies in the lock file of the database.
///
/// Always true: read and written by whoever has the lock; nothing of a program's database is touched. A lock file that
/// was lost or damaged is no error: the clock alone keeps the numbers growing then.
extension DatabaseFiles {
  /// The last number that may have been given; nil if there is no record.
  func recordedSequence() -> UInt64? { SequenceRecord.latest(SequenceRecord.read(lockDescriptor)) }

  /// Returns when the record is on the disk.
  func recordSequence(through number: UInt64) throws(RequestError) {
    let isFirst = recordedSequence() == nil
    try SequenceRecord.write(number, to: lockDescriptor, database: name)
    // The lock file may be as new as its record.
    if isFirst { try directory.sync() }
  }

  /// Before a rename: the database goes on with its numbers under the new name.
  func carrySequence(to newPath: String) throws(RequestError) {
    guard let number = recordedSequence() else { return }
    do throws(SystemFailure) {
      let descriptor = try DataDirectory.lockFile(newPath + "-lock")
      defer { Foundation.close(descriptor) }
      try SequenceRecord.write(number, to: descriptor)
    } catch {
      throw .sequenceNotRecorded(database: name, error.words)
    }
  }
}

extension SequenceRecord {
  /// What is in the two places of an open file.
  fileprivate static func read(_ descriptor: Int32) -> [SequenceRecord?] {
    offsets.map { offset in
      var bytes = [UInt8](repeating: 0, count: byteCount)
      let count = pread(descriptor, &bytes, byteCount, off_t(offset))
      return count == byteCount ? SequenceRecord(bytes) : nil
    }
  }

  fileprivate static func write(_ number: UInt64, to descriptor: Int32, database: String) throws(RequestError) {
    do throws(SystemFailure) {
      try write(number, to: descriptor)
    } catch {
      throw .sequenceNotRecorded(database: database, error.words)
    }
  }

  fileprivate static func write(_ number: UInt64, to descriptor: Int32) throws(SystemFailure) {
    let bytes = SequenceRecord(through: number).bytes
    let offset = offsets[nextPlace(read(descriptor))]
    let count = pwrite(descriptor, bytes, bytes.count, off_t(offset))
    guard count == bytes.count else { throw SystemFailure(code: count < 0 ? errno : ENOSPC) }
    guard fsync(descriptor) == 0 else { throw SystemFailure(code: errno) }
  }
}
