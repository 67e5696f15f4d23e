import { writeSync } from 'node:fs'
import { openCore } from '../../src/shared/composition/core.ts'
import { openLog } from '../../src/shared/composition/process.ts'
import { readConfig } from '../../src/shared/platform/config/config.ts'
import { enqueueMail } from './mail-load.ts'

/** Commits a mail, prints its address and kills itself before the job is handed over. */
const config = readConfig(process.env, { HOST: '127.0.0.1' })
const core = await openCore(config, openLog(config))
const address = await enqueueMail({ core }, { handOver: false })
writeSync(1, address)
process.kill(process.pid, 'SIGKILL')
