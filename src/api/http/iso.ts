import { formatInstant } from '../../shared/platform/kernel/instants.ts'

/** Returns an instant in the form of responses: UTC with `Z` and milliseconds. */
export function iso(instant: Date): string
export function iso(instant: Date | null): string | null
export function iso(instant: Date | null): string | null {
  return instant === null ? null : formatInstant(instant)
}
