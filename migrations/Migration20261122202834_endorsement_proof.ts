import { Migration } from '@mikro-orm/migrations'

/** What proves an endorsement that somebody recorded in another's name: their confirmation, or a document. */
export class Migration20261122202834_endorsement_proof extends Migration {
  override up(): void {
    this.addSql(`
      alter table endorsement
        add column confirmed_at timestamptz(3),
        add column disowned_at timestamptz(3),
        add column document_id integer,
        add foreign key (organization_id, membership_id, document_id) references document (organization_id, membership_id, id)
          on delete set null (document_id)`)
    // The signer's word is said once; a document that is deleted takes its reference along.
    this.addSql(`
      create or replace function refuse_change_of_endorsement() returns trigger language plpgsql as $$
      declare
        open text[] := array['updated_at', 'expiry_told_at', 'expiry_told_days'];
      begin
        if not exists (select 1 from organization where id = old.organization_id) then
          return coalesce(new, old);
        end if;
        if old.superseded_at is null then
          open := open || array['superseded_at', 'superseded_by_id'];
        end if;
        if old.confirmed_at is null and old.disowned_at is null then
          open := open || array['confirmed_at', 'disowned_at'];
        end if;
        if new.document_id is null then
          open := open || array['document_id'];
        end if;
        if tg_op = 'DELETE' or to_jsonb(new) - open <> to_jsonb(old) - open then
          raise exception 'an endorsement cannot change' using errcode = 'restrict_violation';
        end if;
        return new;
      end $$`)
  }
}
