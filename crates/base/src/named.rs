//! Macros for types that have one spelling everywhere: in JSON, on the command line and in reports.

/// Declares an enum with the name of each variant, and gives it `ALL` and `name`.
#[macro_export]
macro_rules! named {
    ($(#[$meta:meta])* $visibility:vis enum $type:ident { $($(#[$attribute:meta])* $variant:ident => $name:literal),+ $(,)? }) => {
        $(#[$meta])*
        $visibility enum $type { $($(#[$attribute])* #[serde(rename = $name)] $variant),+ }

        impl $type {
            /// Every variant, in the order of the declaration.
            $visibility const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The name in JSON and on the command line.
            $visibility const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

/// Lets a type with `Display` and `FromStr` be a text in JSON and YAML.
#[macro_export]
macro_rules! as_text {
    ($type:ty) => {
        impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::core::result::Result<Self, D::Error> {
                let text = <::std::string::String as ::serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(::serde::de::Error::custom)
            }
        }
    };
}
