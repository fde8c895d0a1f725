import { colorOfId } from "#lib/colors";
import { initials } from "#lib/initials";

type AvatarProps = {
  /** Whose picture it is. `avatarId` names the one they gave, if any; else it is drawn from the name. */
  person: { userId: string; name: string; avatarId: string | null };
  size?: "medium" | "large";
};

const SIZES = { medium: "size-8", large: "size-16" };

/** A person's picture, as `/avatars/…` gives it to others. Says nothing, for their name stands beside it. One they gave has an address of its own, so that another shows at once. */
export function Avatar({ person: { userId, name, avatarId }, size = "medium" }: AvatarProps) {
  const look = `${SIZES[size]} shrink-0 rounded-full`;
  if (avatarId)
    return <img src={`/avatars/${userId}?v=${avatarId}`} alt="" width={96} height={96} loading="lazy" className={`${look} bg-sunken object-cover`} />;
  return (
    <svg aria-hidden="true" viewBox="0 0 96 96" className={look}>
      <rect width="96" height="96" fill={`#${colorOfId(userId)}`} />
      <text x="48" y="48" dy=".35em" textAnchor="middle" fill="#fff" fontSize="38" fontWeight="600">
        {initials(name)}
      </text>
    </svg>
  );
}
