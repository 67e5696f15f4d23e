/** Returns a listener that reports each error once: several emitters report the loss of one connection. */
export function reportErrorOnce(tell: (error: Error) => void): (error: Error) => void {
  const told = new WeakSet<Error>()
  return (error) => {
    if (told.has(error)) return
    told.add(error)
    tell(error)
  }
}
