import { SMTPServer } from 'smtp-server'

/** Runs a mail server in its own process. It accepts every mail and stores none. */
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
