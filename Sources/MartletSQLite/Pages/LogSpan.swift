/// Where the frames of one commit lie in the write-ahead log.
///
/// Always true: frames count from 0; a log that began anew has another generation, and whatever is in it then came
/// after all that the former one held.
package struct LogSpan: Sendable, Equatable {
  /// The two salts of the log's header.
  package var generation: UInt64
  /// How many frames came before the commit's own; nil if nobody has counted, as before the first commit to a log
  /// that a former process left.
  package var framesBefore: Int?
  /// How many frames there were with the commit's own.
  package var framesAfter: Int

  package init(generation: UInt64, framesBefore: Int?, framesAfter: Int) {
    self.generation = generation
    self.framesBefore = framesBefore
    self.framesAfter = framesAfter
  }
}
