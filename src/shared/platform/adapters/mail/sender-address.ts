/** Returns the address of a sender such as `Flightline <no-reply@flightline.example>`. */
export function addressOf(sender: string): string {
  return /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender.trim()
}
