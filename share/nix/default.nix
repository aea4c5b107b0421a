# SPDX-License-Identifier: ISC
# nix-build share/nix
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "prof-tools";
  version = pkgs.lib.fileContents ../../VERSION;
  src = pkgs.lib.cleanSource ../..;

  nativeBuildInputs = [ pkgs.pkg-config ];
  buildInputs = with pkgs; [
    bzip2
    elfutils
    isa-l
    libiberty
    libyaml
    lz4
    ncurses
    xz
    zlib
    zstd
  ];

  makeFlags = [ "PREFIX=$(out)" ];
  enableParallelBuilding = true;

  # The libraries that the program loads when it needs them.
  postFixup = with pkgs; ''
    patchelf --add-rpath ${lib.makeLibraryPath [ bzip2 elfutils isa-l lz4 ncurses xz ]} \
      $out/bin/prof
  '';

  meta = {
    description = "Filters for profiles: decode, grep, merge, diff, encode, rank";
    homepage = "https://prof.invalid";
    license = pkgs.lib.licenses.isc;
    mainProgram = "prof";
    platforms = pkgs.lib.platforms.linux;
  };
}
