/**
 * Removes the row from a database error: the ORM appends it below the first line of the message, and logs and queues
 * store messages.
 */
export function redactValues(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.includes('\n')) return error
  const [said = ''] = error.message.split('\n')
  const stack = error.stack?.replace(error.message, () => said)
  error.message = said
  if (stack) error.stack = stack
  return error
}
