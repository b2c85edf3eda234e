// A function that statements can call.
import Martlet

@DatabaseFunction
func shout(_ text: String, times: Int = 1) -> String {
  String(repeating: text.uppercased(), count: times)
}
