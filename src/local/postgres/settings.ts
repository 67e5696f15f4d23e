/** Enough connections for the API, the workers and a test run, with a laptop's memory. */
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

/** No waiting for the disk: a crash of the machine (not of the server alone) can lose data. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Returns the server's settings as command line flags; the caller's `settings` override the defaults. */
export function settingFlags(port: number, durable: boolean, settings: Record<string, string>): string[] {
  const all = { ...ALWAYS, ...(durable ? {} : NOT_DURABLE), ...settings, port: String(port) }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
