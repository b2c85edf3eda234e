internal import MartletValues

/// What carries the frames of sessions between the server and one peer: a byte stream of its own, or one stream among
/// several of a connection.
///
/// A session's host asks it for what the session wants done; what arrives goes to the host as an event. It may carry
/// many sessions, so each call names the host that it is for.
///
/// Always true: used on its loop only; after `close` it calls the host no more.
protocol Transport: AnyObject {
  /// Sends frames, in order; keeps what the peer does not take yet, and tells the host with `outputMoved` when it has.
  /// Returns how many bytes they are on their way, which `queuedBytes` counts too.
  func send(_ frames: UnsafeRawBufferPointer, of host: SessionHost) -> Int

  /// Bytes that were sent and that the peer has not taken.
  func queuedBytes(of host: SessionHost) -> Int

  /// Bytes of frames that have come and that the session has not taken, or of which the rest is still to come.
  func waitingBytes(of host: SessionHost) -> Int

  /// Frames may be this long from now on.
  func setFrameLimit(_ bytes: Int, of host: SessionHost)

  func pauseReading(of host: SessionHost)
  func resumeReading(of host: SessionHost)

  /// Something has come for the session that it takes and has not seen yet: it waits for its turn on the loop.
  func hasInputUnderWay(of host: SessionHost) -> Bool

  /// The peer has left, which the host is not told while its session is not read.
  func hasPeerLeft(of host: SessionHost) -> Bool

  /// Gives the host the frames that waited while its session took none.
  func takeWaitingFrames(of host: SessionHost, now: MonotonicTime)

  /// Sends the end after everything else, and goes on reading, in order to hear the peer's own end.
  func finishWriting(of host: SessionHost)

  /// Nothing more is sent or read for the session.
  func close(_ host: SessionHost)

  /// The certificate that the peer has shown; nil if it has shown none.
  func certificate(of host: SessionHost) -> ShownCertificate?
}

extension Transport {
  func certificate(of host: SessionHost) -> ShownCertificate? { nil }
}
