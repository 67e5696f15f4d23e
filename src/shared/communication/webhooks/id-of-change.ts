import { createHash } from 'node:crypto'

/** Returns the id of the `reservation.changed` that follows from an event which is also sent under its own id. */
export function idOfChange(id: string): string {
  const digits = createHash('sha256').update(`${id} reservation.changed`).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}
