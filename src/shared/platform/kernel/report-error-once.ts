/** A listener that hears each error once: everything on a connection reports its loss, and one line is enough. */
export function reportErrorOnce(tell: (error: Error) => void): (error: Error) => void {
  const told = new WeakSet<Error>()
  return (error) => {
    if (told.has(error)) return
    told.add(error)
    tell(error)
  }
}
