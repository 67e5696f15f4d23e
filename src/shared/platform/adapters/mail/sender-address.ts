/** Returns the address in a sender: `no-reply@flightline.example` of `Flightline <no-reply@flightline.example>`. */
export function addressOf(sender: string): string {
  return /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender.trim()
}
