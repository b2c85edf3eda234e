internal import MartletValues

/// Numbers that are the protocol's own: no server and no client has others.
///
/// What a server says of itself in its hello, such as the longest frame, is not here.
package enum ProtocolLimits {
  /// The version of the protocol, in a hello and its reply.
  package static let version: UInt32 = 1

  /// The request id under which this client says hello. Any other but 0 would do.
  package static let helloID: UInt32 = 1

  /// Bytes of a ping's payload.
  package static let pingBytesMax = 64

  /// The longest message before the hello was answered, but for a setup that the hello announced.
  package static let helloBytesMax = 16 << 10

  /// The longest credential of a hello. Of a longer one nothing is computed, and this client sends none.
  package static let credentialBytesMax = 4_096

  /// The most unused credit of one request that a server counts if its hello does not say.
  package static let creditBytesAssumed = 64 << 20

  /// A column of NULLs takes no bytes however many rows it has, so their number needs a bound of its own.
  package static let batchRowsMax = ValueLimits.batchRowsMax
}
