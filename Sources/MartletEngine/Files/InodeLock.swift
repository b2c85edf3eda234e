import Foundation
import Synchronization

/// A lock on a file itself, whatever names and mounts lead to it: one server, or any number of embedded databases; and
/// any number of those who only read.
///
/// Always true: within a process one descriptor serves each file, and it is closed after the last `InodeLock` of the
/// file has gone. Closing any descriptor of a file drops every lock that SQLite holds on it in this process, so the
/// owner of a connection keeps the lock's object as long.
// Unchecked because the registry's mutex guards what is mutable.
package final class InodeLock: @unchecked Sendable {
  /// Who else may hold it.
  package enum Mode: Sendable, Equatable {
    /// Other processes, and other databases of this one, may hold it too.
    case shared
    case exclusive
    /// Nobody is excluded, and nobody excludes it: for whoever only reads. The file's descriptor is kept all the same.
    case watching
  }

  /// Why the lock is not held.
  package enum Failure: Error, Equatable, Sendable {
    /// Somebody holds the lock in a mode that excludes this one.
    case held
    /// The file is not the one that was meant, or not a regular one.
    case otherFile
    case system(SystemFailure)
  }

  private final class Entry {
    let descriptor: Int32
    var references = 0
    var shared = 0
    var isExclusive = false
    /// How many of the references are of each group.
    var groups: [ObjectIdentifier: Int] = [:]

    init(descriptor: Int32) { self.descriptor = descriptor }

    func leave(_ group: ObjectIdentifier) {
      let left = groups[group, default: 1] - 1
      groups[group] = left > 0 ? left : nil
    }
  }

  // Unchecked because its entries are used with the mutex held only.
  private struct Registry: @unchecked Sendable {
    var entries: [FileIdentity: Entry] = [:]
  }

  private static let registry = Mutex(Registry())

  let identity: FileIdentity
  private let mode: Mode
  private var isHeld = true
  /// Kept, so that no other object gets its identifier.
  private var group: AnyObject?

  private init(_ identity: FileIdentity, _ mode: Mode) {
    self.identity = identity
    self.mode = mode
  }

  /// Locks the file at `path`, which must be the one of that identity.
  package static func acquire(path: String, identity: FileIdentity, mode: Mode) throws(Failure) -> InodeLock {
    let failure: Failure? = registry.withLock { registry in
      do throws(Failure) {
        try take(identity, path: path, mode: mode, in: &registry)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
    return InodeLock(identity, mode)
  }

  /// Locks the regular file that is at `path` now.
  package static func acquire(path: String, mode: Mode) throws(Failure) -> InodeLock {
    guard let status = try? FileStatus.look(at: path), status.kind == .file else { throw .otherFile }
    return try acquire(path: path, identity: status.identity, mode: mode)
  }

  deinit {
    Self.registry.withLock { registry in
      guard let entry = registry.entries[identity] else { return }
      if isHeld { Self.unlock(entry, mode) }
      if let group { entry.leave(ObjectIdentifier(group)) }
      entry.references -= 1
      guard entry.references == 0 else { return }
      registry.entries[identity] = nil
      Foundation.close(entry.descriptor)
    }
  }

  /// Lets others have the file, while connections of this process that are still open may go on reading.
  package func release() {
    Self.registry.withLock { registry in
      guard isHeld, let entry = registry.entries[identity] else { return }
      isHeld = false
      Self.unlock(entry, mode)
    }
  }

  private static func take(
    _ identity: FileIdentity, path: String, mode: Mode, in registry: inout Registry
  ) throws(Failure) {
    let entry: Entry
    if let known = registry.entries[identity] {
      entry = known
    } else {
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { throw .system(SystemFailure(code: errno)) }
      // The descriptor is left open if it is another file's, on which SQLite may hold locks in this process.
      guard FileStatus.of(descriptor: descriptor)?.identity == identity else { throw .otherFile }
      entry = Entry(descriptor: descriptor)
      registry.entries[identity] = entry
    }
    entry.references += 1
    if mode == .watching { return }
    let isFree = !entry.isExclusive && (mode == .shared || entry.shared == 0)
    let isNew = entry.shared == 0
    let operation = mode == .shared ? LOCK_SH : LOCK_EX
    guard isFree, !isNew || flock(entry.descriptor, operation | LOCK_NB) == 0 else {
      entry.references -= 1
      if entry.references == 0 {
        registry.entries[identity] = nil
        Foundation.close(entry.descriptor)
      }
      throw .held
    }
    if mode == .shared { entry.shared += 1 } else { entry.isExclusive = true }
  }

  private static func unlock(_ entry: Entry, _ mode: Mode) {
    if mode == .watching { return }
    if mode == .shared { entry.shared -= 1 } else { entry.isExclusive = false }
    if entry.shared == 0 && !entry.isExclusive { flock(entry.descriptor, LOCK_UN) }
  }

  /// Those who join one group are not others to each other.
  package func join(_ group: AnyObject) {
    Self.registry.withLock { registry in
      guard self.group == nil, let entry = registry.entries[identity] else { return }
      self.group = group
      entry.groups[ObjectIdentifier(group), default: 0] += 1
    }
  }

  /// Whether somebody who is not of this one's group has the file: in this process, or with SQLite in another one, as
  /// far as the system tells.
  package var hasOthers: Bool {
    let hasNeighbours = Self.registry.withLock { registry in
      guard let entry = registry.entries[identity] else { return false }
      return entry.references > group.map { entry.groups[ObjectIdentifier($0), default: 0] } ?? 1
    }
    return hasNeighbours || foreignProcess() != nil
  }

  /// The first bytes of the file, fewer if it is shorter, through the one descriptor that the process has of it.
  package func firstBytes(_ count: Int) -> [UInt8] {
    Self.registry.withLock { registry in
      guard let entry = registry.entries[identity] else { return [] }
      return [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
        initialized = max(0, pread(entry.descriptor, bytes.baseAddress, count, 0))
      }
    }
  }

  /// The process that has the file open with SQLite, if another one has and the system tells.
  package func foreignProcess() -> Int32? {
    Self.registry.withLock { registry in
      guard let entry = registry.entries[identity] else { return nil }
      var wanted = flock()
      wanted.l_type = Int16(F_WRLCK)
      wanted.l_whence = Int16(SEEK_SET)
      // The byte on which SQLite's connections hold a read lock for as long as they are open in WAL mode.
      wanted.l_start = 0x4000_0002
      wanted.l_len = 510
      guard fcntl(entry.descriptor, F_GETLK, &wanted) == 0, wanted.l_type != Int16(F_UNLCK) else { return nil }
      return wanted.l_pid
    }
  }
}
