/// One descriptor kept for the moment in which the process has no other: with its number a connection can be accepted
/// and told so.
///
/// Always true: it is open or lent; another thread may take the number while it is lent, and then it is lent until
/// there is one again.
struct SpareDescriptor: ~Copyable {
  private var descriptor: Int32

  init() { descriptor = Descriptor.placeholder() }

  deinit { if descriptor >= 0 { Descriptor.close(descriptor) } }

  /// The number is in use, or another thread has taken it.
  var isLent: Bool { descriptor < 0 }

  /// Gives the number free for one use. False if it is lent already, and nothing is free.
  mutating func lend() -> Bool {
    takeBack()
    guard descriptor >= 0 else { return false }
    Descriptor.close(descriptor)
    descriptor = -1
    return true
  }

  /// The use is over, if a number is free.
  mutating func takeBack() { if descriptor < 0 { descriptor = Descriptor.placeholder() } }
}
