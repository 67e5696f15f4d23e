/**
 * The ORM writes the row that the database refused below the first line of its error. Logs and queues keep what an
 * error says, so that row is taken out of it.
 */
export function redactValues(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.includes('\n')) return error
  const [said = ''] = error.message.split('\n')
  const stack = error.stack?.replace(error.message, () => said)
  error.message = said
  if (stack) error.stack = stack
  return error
}
