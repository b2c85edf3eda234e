import CLibuv

/// A failure that libuv or the system reported, with the operation that met it.
///
/// Always true: `code` is libuv's negative errno, so it compares equal on one platform and names itself on all.
package struct LoopError: Error, Sendable, Equatable, CustomStringConvertible {
  /// libuv's number: the negated errno on Unix.
  package let code: Int32

  /// What was attempted, such as `bind`.
  package let operation: String

  package init(code: Int32, operation: String) {
    self.code = code
    self.operation = operation
  }

  /// A loop that has stopped takes no more work.
  package static let loopStopped = LoopError(code: UV_ECANCELED.rawValue, operation: "use a loop that has stopped")

  package var isAddressInUse: Bool { code == UV_EADDRINUSE.rawValue }
  /// The process or the system has no descriptor left.
  var isOutOfDescriptors: Bool { code == UV_EMFILE.rawValue || code == UV_ENFILE.rawValue }
  /// Nothing waits to be accepted.
  var isNothingThere: Bool { code == UV_EAGAIN.rawValue }
  /// The next connection may be accepted all the same: this one went while it waited, or its network did.
  var isOfOneConnection: Bool {
    switch code {
    case UV_EINTR.rawValue, UV_ECONNABORTED.rawValue, UV_EPROTO.rawValue, UV_ENETDOWN.rawValue,
      UV_ENETUNREACH.rawValue, UV_EHOSTUNREACH.rawValue, UV_ENONET.rawValue, UV_ETIMEDOUT.rawValue:
      true
    default: false
    }
  }
  /// The machine does not have the address.
  package var isAddressMissing: Bool { code == UV_EADDRNOTAVAIL.rawValue || code == UV_EAFNOSUPPORT.rawValue }

  package var description: String { "\(operation): \(String(cString: uv_strerror(code)))" }

  /// A descriptor, or the error that came instead of one.
  static func checked(_ descriptor: Int32, _ operation: String) throws(LoopError) -> Int32 {
    try check(descriptor, operation)
    return descriptor
  }

  /// Throws if `code` is one of libuv's errors.
  static func check(_ code: Int32, _ operation: String) throws(LoopError) {
    if code < 0 { throw LoopError(code: code, operation: operation) }
  }
}
