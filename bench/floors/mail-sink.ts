import { SMTPServer } from 'smtp-server'

/** Runs a mail server that takes every mail and keeps none, as a process of its own. */
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  onData(stream, _session, answer) {
    stream.resume()
    stream.on('end', () => answer())
  },
})
server.on('error', () => {})
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'))
