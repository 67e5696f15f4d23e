/** Returns the LIKE pattern of texts that contain this one literally. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Returns the LIKE pattern of texts that start with this one literally. */
export function startingWith(text: string): string {
  return containing(text).slice(1)
}
