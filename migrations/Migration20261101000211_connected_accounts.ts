import { Migration } from '@mikro-orm/migrations'
import { tenantRecord } from './tenant-record.ts'

/** Members' accounts at the providers of meetings. Tokens are stored encrypted; a state opens one connection, once. */
export class Migration20261101000211_connected_accounts extends Migration {
  override up(): void {
    this.addSql(`
      create table connected_account (${tenantRecord}
        membership_id integer not null,
        provider text not null check (provider in ('zoom', 'google')),
        account_email text,
        refresh_token text not null,
        access_token text,
        access_expires_at timestamptz(3),
        refresh_claimed_until timestamptz(3),
        connected_at timestamptz(3) not null,
        broken_at timestamptz(3),
        unique (organization_id, id),
        unique (organization_id, membership_id, provider),
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql(`
      create table connection_state (${tenantRecord}
        membership_id integer not null,
        provider text not null check (provider in ('zoom', 'google')),
        state_hash text not null unique,
        code_verifier text not null,
        expires_at timestamptz(3) not null,
        used_at timestamptz(3),
        unique (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql('create index connection_state_member on connection_state (organization_id, membership_id)')
  }
}
