import Foundation
import Synchronization

/// A file with a token or a private key, which nobody else should be able to read.
///
/// Always true: a person is warned of each file once, and the file is used all the same.
enum SecretFile {
  private static let warned = Mutex<Set<String>>([])

  static func warn(of path: String) {
    guard let sentence = warning(of: path), warned.withLock({ $0.insert(path).inserted }) else { return }
    StandardOutput.tell(sentence + "\n")
  }

  /// Nil if there is nothing to say. A group that may read it was given that.
  static func warning(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & S_IROTH != 0 else {
      return nil
    }
    return "Warning: everybody on this machine may read the secret in \(CellText.escaped(path)). "
      + "Keep it to yourself: chmod 600."
  }
}
