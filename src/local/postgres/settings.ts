/** One process's embedded server: enough connections for the API, the workers and a test run, on a laptop's memory. */
const ALWAYS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  shared_preload_libraries: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off',
}

/** Nothing waits for the disk, at the price of the data when the machine (not only the server) stops without warning. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** The server's settings as its command line takes them; `settings` of the caller win over ours. */
export function settingFlags(port: number, durable: boolean, settings: Record<string, string>): string[] {
  const all = { ...ALWAYS, ...(durable ? {} : NOT_DURABLE), ...settings, port: String(port) }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
