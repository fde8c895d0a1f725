import { initials } from "#lib/initials";

type AvatarProps = {
  /** Whose picture it is. `avatarId` names the one they gave, if any; else it is drawn from the name. */
  person: { userId: string; name: string; avatarId: string | null };
  size?: "medium" | "large";
};

const SIZES = { medium: "size-8", large: "size-16" };

/** A person's picture. Says nothing, for their name stands beside it. Another picture is another address, so that it shows at once. */
export function Avatar({ person: { userId, name, avatarId }, size = "medium" }: AvatarProps) {
  return (
    <img
      src={`/avatars/${userId}?v=${avatarId ?? encodeURIComponent(initials(name))}`}
      alt=""
      width={96}
      height={96}
      loading="lazy"
      className={`${SIZES[size]} shrink-0 rounded-full bg-sunken object-cover`}
    />
  );
}
